-- Records that a node has applied every change up to a number, in the progress of each change that it had not acknowledged.
-- KEYS  node (hash), then the progress hashes of the changes it had not acknowledged before
-- ARGV  node id, change
-- Reply Redis' clock in ms
local node, firstProgress = KEYS[1], 2
local id, change = ARGV[1], ARGV[2]

local time = redis.call("TIME")
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if redis.call("EXISTS", node) == 1 then
  redis.call("HSET", node, "change", change)
end
for i = firstProgress, #KEYS do
  if redis.call("EXISTS", KEYS[i]) == 1 then
    redis.call("HSET", KEYS[i], id, now)
  end
end
return now
