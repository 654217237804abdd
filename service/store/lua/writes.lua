-- Ahead of every script that writes. A script that fails half-way is not rolled back, so all writes
-- are checked before the first is made: whether the server has the command, and whether its user
-- may run it on this key or channel. (Out of memory, disk and replicas fail the first or none.)
local writes = {}

-- Adds a command to those that `commit` runs.
local function write(...)
  writes[#writes + 1] = {...}
end

-- The command that may not be run, if there is one; servers without this check run them all.
local function refused()
  for _, command in ipairs(writes) do
    if redis.acl_check_cmd and not redis.acl_check_cmd(unpack(command)) then
      return command[1]
    end
  end
end

-- Runs the writes, all or none, and returns `result`.
local function commit(result)
  local command = refused()
  if command then
    local object = command == 'PUBLISH' and 'channel' or 'command'
    return redis.error_reply('NOPERM this user may not use a ' .. object .. ': ' .. command)
  end
  for _, command in ipairs(writes) do
    redis.call(unpack(command))
  end
  return result
end

