-- One page of a collection, with what is left of each key's life.
-- Runs on the control server, which is never a cluster: the keys are found here, not declared.
-- KEYS  none
-- ARGV  cursor, pattern, count
-- Reply {next cursor, key, pttl, key, pttl, ...}; pttl is -1 for a key that stays
local cursor, pattern, count = ARGV[1], ARGV[2], ARGV[3]

local page = redis.call("SCAN", cursor, "MATCH", pattern, "COUNT", count, "TYPE", "string")
local reply = {page[1]}
for _, key in ipairs(page[2]) do
  reply[#reply + 1] = key
  reply[#reply + 1] = redis.call("PTTL", key)
end
return reply
