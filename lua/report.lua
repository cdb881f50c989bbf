-- What a node has counted since its last report. Nothing is something to tell, too: that it was there.
-- KEYS  four buckets of the series (1 s, 10 s, 1 min, 1 h), clients of this minute: all, denied; apps of this minute,
--       feed (stream), nodes, totals (hash)
-- ARGV  app, JSON [field, count, …], JSON [client, count, denied, …], JSON [text, …] for the feed
-- Reply clock in ms, number of nodes
local app, counts, hitters, seen = ARGV[1], cjson.decode(ARGV[2]), cjson.decode(ARGV[3]), cjson.decode(ARGV[4])
local lives = { 1200, 7200, 93600, 691200 }
local all, denied, apps, feed, nodes, totals = KEYS[5], KEYS[6], KEYS[7], KEYS[8], KEYS[9], KEYS[10]
local day, mostKept, mostAtOnce, feedLength = 90000, 1000, 4000, 5000

-- Each second is told of once, by whichever node is first: a longer bucket knows how many of its seconds are known.
local seconds = app .. "\0seconds"
local isFirst = redis.call("HSETNX", KEYS[1], seconds, 1) == 1
for bucket = 1, 4 do
  if isFirst and bucket > 1 then redis.call("HINCRBY", KEYS[bucket], seconds, 1) end
  for i = 1, #counts, 2 do redis.call("HINCRBY", KEYS[bucket], app .. "\0" .. counts[i], counts[i + 1]) end
  if isFirst or #counts > 0 then redis.call("EXPIRE", KEYS[bucket], lives[bucket]) end
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
