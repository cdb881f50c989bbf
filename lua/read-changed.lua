-- What became of keys that were just announced as changed, and the number of the last change.
-- KEYS  change counter, then the changed keys
-- Reply {change, pttl, pttl, ...}; -1 for a key that stays, -2 for one that is gone or is no string
local change = KEYS[1]

local reply = {tonumber(redis.call("GET", change)) or 0}
for i = 2, #KEYS do
  local isString = redis.call("TYPE", KEYS[i]).ok == "string"
  reply[i] = isString and redis.call("PTTL", KEYS[i]) or -2
end
return reply
