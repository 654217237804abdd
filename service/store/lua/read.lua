-- Reads values of one moment: a game and what is kept beside it.
--
-- KEYS  strings      Returns the value of each, nil where there is none.
-- Not MGET, which takes a key of another type for one that is missing.
local values = {}
for index, key in ipairs(KEYS) do
  values[index] = redis.call('GET', key)
end
return values
