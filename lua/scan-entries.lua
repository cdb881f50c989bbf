-- One page of a list with everything about its entries, also those that are none.
-- Runs on the control server, which is never a cluster: the keys are found here, not declared.
-- KEYS  none
-- ARGV  cursor, pattern, count
-- Reply {next cursor, now, key, kind, value, pttl, ...}; value is false when the kind is not "string"
local cursor, pattern, count = ARGV[1], ARGV[2], ARGV[3]
local longest = 4096

local time = redis.call("TIME")
local page = redis.call("SCAN", cursor, "MATCH", pattern, "COUNT", count)
local reply = {page[1], time[1] * 1000 + math.floor(time[2] / 1000)}
for _, key in ipairs(page[2]) do
  local kind = redis.call("TYPE", key).ok
  if kind ~= "none" then
    reply[#reply + 1] = key
    reply[#reply + 1] = kind
    reply[#reply + 1] = kind == "string" and redis.call("GET", key):sub(1, longest)
    reply[#reply + 1] = redis.call("PTTL", key)
  end
end
return reply
