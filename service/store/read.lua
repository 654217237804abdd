-- Reads a game and its line of one moment.
--
-- KEYS  1 game   2 line      Returns {state or nil, line or nil}.
return {redis.call('HGET', KEYS[1], 'state'), redis.call('GET', KEYS[2])}
