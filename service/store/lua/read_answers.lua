-- Reads a game and its answers of one moment.
--
-- KEYS  1 game   2 answers   3 line      Returns {state, answers or nil, bytes of the line}.
return {redis.call('GET', KEYS[1]), redis.call('GET', KEYS[2]), redis.call('STRLEN', KEYS[3])}
