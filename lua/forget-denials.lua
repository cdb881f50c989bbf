-- Deletes the denials of banned addresses, by every rule, and stops counting them for a time, because other nodes still
-- report denials from before the ban.
-- KEYS  the addresses' denials (hashes)
-- ARGV  that time in ms
-- Reply 1
local addresses, grace = KEYS, ARGV[1]

local time = redis.call("TIME")
local now = time[1] * 1000 + math.floor(time[2] / 1000)
for _, key in ipairs(addresses) do
  redis.call("DEL", key)
  redis.call("HSET", key, "", string.format("%.0f", now + grace))
  redis.call("PEXPIRE", key, grace)
end
return 1
