-- Adds frequent fingerprints, as one node has counted them since its last report.
-- KEYS  sorted sets of this minute: standard, broad; nodes
-- ARGV  for each of both JSON [member, count, …]
-- Reply clock in ms, number of nodes
local fingerprints, counted, nodes = { KEYS[1], KEYS[2] }, { ARGV[1], ARGV[2] }, KEYS[3]
local seconds, mostKept, mostAtOnce = 150, 100000, 150000

for i = 1, 2 do
  local key, counts = fingerprints[i], cjson.decode(counted[i])
  for at = 1, #counts, 2 do redis.call("ZINCRBY", key, counts[at + 1], counts[at]) end
  if #counts > 0 then
    local size = redis.call("ZCARD", key)
    if size > mostAtOnce then redis.call("ZREMRANGEBYRANK", key, 0, size - mostKept - 1) end
    redis.call("EXPIRE", key, seconds)
  end
end

local time = redis.call("TIME")
return { time[1] * 1000 + math.floor(time[2] / 1000), redis.call("ZCARD", nodes) }
