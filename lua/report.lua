-- Adds what a node has counted since its last report. A report without counts still records that the node was there.
-- KEYS  four buckets of the series (1 s, 10 s, 1 min, 1 h), clients of this minute: all, denied; apps of this minute,
--       feed (stream), nodes, totals (hash); hits of entries (sorted sets): blocklist of 5 min and of 1 h, safelist of both;
--       then four buckets for each earlier second that the report covers, the oldest first
-- ARGV  app, JSON [field, count, …], JSON [client, count, denied, …], JSON [text, …] for the feed,
--       JSON [[entry of the blocklist, hits, …], [entry of the safelist, hits, …]]
-- Reply clock in ms, number of nodes
local app, counts, hitters, seen = ARGV[1], cjson.decode(ARGV[2]), cjson.decode(ARGV[3]), cjson.decode(ARGV[4])
local buckets, lives = { unpack(KEYS, 1, 4) }, { 1200, 7200, 93600, 691200 }
local all, denied, apps, feed, nodes, totals = unpack(KEYS, 5, 10)
local day, mostKept, mostAtOnce, feedLength = 90000, 1000, 4000, 5000
-- For 13 buckets of 5 min and 25 of 1 h. A set has 1,333 entries at most: all of both lists take 14 MB.
local entries, entryLives, mostEntries, mostEntriesAtOnce = cjson.decode(ARGV[5]), { 4500, 93600 }, 1000, 1333

-- What rules counted is in the totals alone: it has two fields a rule.
local ofBuckets = {}
for i = 1, #counts, 2 do
  if not (counts[i]:find("^hit ") or counts[i]:find("^near ")) then
    ofBuckets[#ofBuckets + 1], ofBuckets[#ofBuckets + 2] = counts[i], counts[i + 1]
  end
end

-- Each second is counted once, by the first node that reports it: a longer bucket has the number of its seconds with a report.
-- A late report covers several seconds, and its counts are taken for evenly spread over them.
local seconds, covered = app .. "\0seconds", (#KEYS - 14) / 4 + 1
for second = 1, covered do
  local of = second == covered and buckets or { unpack(KEYS, 4 * second + 11, 4 * second + 14) }
  local isFirst = redis.call("HSETNX", of[1], seconds, 1) == 1
  for bucket = 1, 4 do
    if isFirst and bucket > 1 then redis.call("HINCRBY", of[bucket], seconds, 1) end
    for i = 1, #ofBuckets, 2 do
      local count = ofBuckets[i + 1]
      local part = math.floor(count * second / covered) - math.floor(count * (second - 1) / covered)
      if part ~= 0 then redis.call("HINCRBY", of[bucket], app .. "\0" .. ofBuckets[i], part) end
    end
    if isFirst or #counts > 0 then redis.call("EXPIRE", of[bucket], lives[bucket]) end
  end
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

for list = 1, 2 do
  local hits = entries[list]
  for bucket = 1, #hits > 0 and 2 or 0 do
    local key = KEYS[8 + 2 * list + bucket]
    for i = 1, #hits, 2 do redis.call("ZINCRBY", key, hits[i + 1], hits[i]) end
    local size = redis.call("ZCARD", key)
    -- What is dropped here is missing from the sum of the set: a reader knows by the outcomes that are counted.
    if size > mostEntriesAtOnce then redis.call("ZREMRANGEBYRANK", key, 0, size - mostEntries - 1) end
    redis.call("EXPIRE", key, entryLives[bucket])
  end
end

for _, text in ipairs(seen) do redis.call("XADD", feed, "MAXLEN", "~", feedLength, "*", "seen", text) end

local time = redis.call("TIME")
return { time[1] * 1000 + math.floor(time[2] / 1000), redis.call("ZCARD", nodes) }
