-- The present state of keys that were just announced as changed, with the contents of entries of the lists, and the number of
-- the last change.
-- KEYS  change counter, then the changed keys
-- ARGV  prefixes of the keys whose contents are wanted
-- Reply {change, {pttl, pttl, ...}, {index, contents, ...}}; pttl is -1 for a key that stays, -2 for one that is gone or not
--       wanted; the index counts the changed keys from 0; contents are the value (cut), or {kind} of a key that is no string
local counter, firstKey, prefixes, longest = KEYS[1], 2, ARGV, 4096

local function isWanted(key)
  for _, prefix in ipairs(prefixes) do
    if key:sub(1, #prefix) == prefix then return true end
  end
end

local lives, wholes = {}, {}
for i = firstKey, #KEYS do
  local key = KEYS[i]
  local kind = isWanted(key) and redis.call("TYPE", key).ok or "none"
  lives[i - 1] = kind == "none" and -2 or redis.call("PTTL", key)
  if kind ~= "none" then
    local at = #wholes
    wholes[at + 1] = i - 2
    wholes[at + 2] = kind == "string" and redis.call("GET", key):sub(1, longest) or {kind}
  end
end
return {tonumber(redis.call("GET", counter)) or 0, lives, wholes}
