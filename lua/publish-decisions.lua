-- Publishes changes of what bouncers enforce, unless another process has published since the caller last read.
-- KEYS  decisions by value, log of their changes, number of values in the log
-- ARGV  id of the newest log entry that the caller knows ("" for none), how long entries are kept in ms, most values in the log,
--       then of each change: value, decision; "-" begins the decision of a value that is gone
-- Reply id of the log entry; nil where the caller does not know the newest one
local decisions, log, values = KEYS[1], KEYS[2], KEYS[3]
local known, keptMs, mostValues = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local firstChange, mostTrimmed = 4, 50

local newest = redis.call("XREVRANGE", log, "+", "-", "COUNT", 1)[1]
if (newest and newest[1] or "") ~= known then return false end

for i = firstChange, #ARGV, 2 do
  if ARGV[i + 1]:sub(1, 1) == "-" then redis.call("HDEL", decisions, ARGV[i])
  else redis.call("HSET", decisions, ARGV[i], ARGV[i + 1]) end
end
local id = redis.call("XADD", log, "*", unpack(ARGV, firstChange))
local total = redis.call("INCRBY", values, (#ARGV - firstChange + 1) / 2)

-- The newest entry stays: it is what the callers know.
local time = redis.call("TIME")
local oldestKept = time[1] * 1000 + math.floor(time[2] / 1000) - keptMs
for _ = 1, mostTrimmed do
  local first = redis.call("XRANGE", log, "-", "+", "COUNT", 1)[1]
  local isOld = tonumber(first[1]:match("^%d+")) < oldestKept
  if first[1] == id or not (isOld or total > mostValues) then break end
  redis.call("XDEL", log, first[1])
  total = redis.call("DECRBY", values, #first[2] / 2)
end
return id
