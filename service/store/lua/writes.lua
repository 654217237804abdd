-- Ahead of every script that writes. A script that fails half-way is not rolled back, so all writes
-- are checked before the first is made: whether the server has the command, and whether its user
-- may run it on this key or channel. (Out of memory, disk and replicas fail the first or none.)
local writes = {}

-- Adds a command to those that `commit` runs.
local function write(...)
  writes[#writes + 1] = {...}
end

-- The error of the first command that may not be run, if there is one.
local function refusal()
  for _, command in ipairs(writes) do
    if redis.acl_check_cmd and not redis.acl_check_cmd(unpack(command)) then
      local object = (command[1] == 'PUBLISH' or command[1] == 'PSUBSCRIBE') and 'channel' or 'command'
      return redis.error_reply('NOPERM this ' .. object .. ' is refused: ' .. command[1])
    end
  end
end

-- Runs the writes, all or none, and returns `result`.
local function commit(result)
  local refused = refusal()
  if refused then
    return refused
  end
  for _, command in ipairs(writes) do
    redis.call(unpack(command))
  end
  return result
end

