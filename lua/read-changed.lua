-- The present state of keys that were just announced as changed, and the number of the last change.
-- KEYS  change counter, then the changed keys
-- ARGV  prefix of the keys whose contents are wanted
-- Reply {change, {pttl, pttl, ...}, {index, contents, ...}}; pttl is -1 for a key that stays, -2 for one that is gone or
--       unused; the index counts the changed keys from 0
local counter, firstKey, prefix = KEYS[1], 2, ARGV[1]

-- include: contents.lua

local lives, wholes = {}, {}
for i = firstKey, #KEYS do
  local key = KEYS[i]
  local kind, isWhole = redis.call("TYPE", key).ok, key:sub(1, #prefix) == prefix
  local isUseful = kind == "string" or isWhole and kind == "hash"
  lives[i - 1] = isUseful and redis.call("PTTL", key) or -2
  if isUseful and isWhole then
    local at = #wholes
    wholes[at + 1], wholes[at + 2] = i - 2, contents(key, kind)
  end
end
return {tonumber(redis.call("GET", counter)) or 0, lives, wholes}
