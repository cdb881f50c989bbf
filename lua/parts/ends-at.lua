-- Part of commit and snapshot: when a key ends, in ms of Redis' clock; -1 for never. Redis before 7 has no PEXPIRETIME. There the
-- end is the time to live added to the clock of this moment, which in a script may or may not go on. Reads now. Defines endsAt.
local hasEndCommand = true
local function endsAt(key)
  local at = hasEndCommand and redis.pcall("PEXPIRETIME", key)
  if type(at) == "number" then return at < 0 and -1 or at end
  hasEndCommand = false
  local pttl = redis.call("PTTL", key)
  return pttl < 0 and -1 or now() + pttl
end
