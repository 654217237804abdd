-- Reads what tells one state of a list from another.
--
-- KEYS  1 revision (string: when it changed)   2 order (sorted set: game id by time)
-- ARGV  1 now, in ms      Returns {revision or nil, how many results are told by now}.
return {redis.call('GET', KEYS[1]), redis.call('ZCOUNT', KEYS[2], '-inf', ARGV[1])}
