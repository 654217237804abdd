-- Tells, without doing it, whether the user of the store may do all that the service needs.
--
-- ARGV  1 a key   2 a channel   3 the pattern of all channels   from 4 on: further commands
local key = ARGV[1]
write('GET', key)
write('GETRANGE', key, 0, 1)
write('STRLEN', key)
write('EXISTS', key)
write('PTTL', key)
write('PEXPIRETIME', key)
write('LLEN', key)
write('LRANGE', key, 0, -1)
write('HGET', key, 'field')
write('HMGET', key, 'field')
write('HVALS', key)
write('ZCARD', key)
write('ZCOUNT', key, 0, 1)
write('ZRANGE', key, 0, 1)
write('ZRANGEBYLEX', key, '-', '+')
write('ZREVRANGEBYSCORE', key, 1, 0)
write('SCAN', 0)
write('TIME')
write('SET', key, '', 'PX', 1)
write('UNLINK', key)
write('PEXPIRE', key, 1)
write('PEXPIREAT', key, 1)
write('RPUSH', key, '')
write('LTRIM', key, 0, 1)
write('HSET', key, 'field', '')
write('HDEL', key, 'field')
write('ZADD', key, 0, '')
write('ZREM', key, '')
write('ZREMRANGEBYSCORE', key, 0, 1)
write('PUBLISH', ARGV[2], '')
write('PSUBSCRIBE', ARGV[3])
for index = 4, #ARGV do
  write(ARGV[index])
end
return refusal() or 'all'
