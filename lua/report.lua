-- Adds what a node has counted since its last report. A report without counts still records that the node was there.
-- KEYS  four buckets of the series (1 s, 10 s, 1 min, 1 h), clients of this minute: all, denied; apps of this minute,
--       feed (stream), nodes, totals (hash)
-- ARGV  app, JSON [field, count, …], JSON [client, count, denied, …], JSON [text, …] for the feed
-- Reply clock in ms, number of nodes
local app, counts, hitters, seen = ARGV[1], cjson.decode(ARGV[2]), cjson.decode(ARGV[3]), cjson.decode(ARGV[4])
local buckets, lives = { unpack(KEYS, 1, 4) }, { 1200, 7200, 93600, 691200 }
local all, denied, apps, feed, nodes, totals = unpack(KEYS, 5, 10)
local day, mostKept, mostAtOnce, feedLength = 90000, 1000, 4000, 5000

-- Each second is counted once, by the first node that reports it: a longer bucket has the number of its seconds with a report.
local seconds = app .. "\0seconds"
local isFirst = redis.call("HSETNX", buckets[1], seconds, 1) == 1
for bucket = 1, 4 do
  if isFirst and bucket > 1 then redis.call("HINCRBY", buckets[bucket], seconds, 1) end
  for i = 1, #counts, 2 do redis.call("HINCRBY", buckets[bucket], app .. "\0" .. counts[i], counts[i + 1]) end
  if isFirst or #counts > 0 then redis.call("EXPIRE", buckets[bucket], lives[bucket]) end
end

for i = 1, #counts, 2 do redis.call("HINCRBY", totals, app .. "\0" .. counts[i], counts[i + 1]) end

for i = 1, #hitters, 3 do
  redis.call("ZINCRBY", all, hitters[i + 1], hitters[i])
  if hitters[i + 2] > 0 then redis.call("ZINCRBY", denied, hitters[i + 2], hitters[i]) end
end
for _, key in ipairs({ all, denied }) do
  local size = redis.call("ZCARD", key)
  if size > mostAtOnce then redis.call("ZREMRANGEBYRANK", key, 0, size - mostKept - 1) end
  if size > 0 then redis.call("EXPIRE", key, day) end
end
if #counts > 0 or #hitters > 0 then
  redis.call("SADD", apps, app)
  redis.call("EXPIRE", apps, day)
end

for _, text in ipairs(seen) do redis.call("XADD", feed, "MAXLEN", "~", feedLength, "*", "seen", text) end

local time = redis.call("TIME")
return { time[1] * 1000 + math.floor(time[2] / 1000), redis.call("ZCARD", nodes) }
