-- Reads a game and what is kept beside it of one moment.
--
-- KEYS  1 game   2 line, or answers      Returns {state or nil, the other or nil}.
return {redis.call('GET', KEYS[1]), redis.call('GET', KEYS[2])}
