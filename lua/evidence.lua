-- Adds requests that a node has kept since its last report: to the feed's streams, and to the evidence of each client. A client's
-- list fills at once, then more slowly the longer the client sends requests: what is in it is of different times. Of too many
-- clients those with the fewest requests are dropped; a request counts half as much as one that came two hours later. The
-- drop reaches lists that are not among KEYS, so this needs a server that is no cluster, as control is.
-- KEYS  streams of the feed; then indexes (sorted sets) of the evidence: denied addresses, denied customers, passed addresses,
--       passed customers. A client's list is its index, ":" and the client. Last, this hour of the denial log (sorted set).
-- ARGV  clock in ms, number of streams, JSON [[stream, sample, score in the log of a denial], …], JSON [[index, client, requests, [sample, …]], …]; a
--       sample is JSON that begins with its time: "[ms,"
-- Reply nothing
local now, streams, entries, clients = tonumber(ARGV[1]), tonumber(ARGV[2]), cjson.decode(ARGV[3]), cjson.decode(ARGV[4])
local feedLength, day, halfLife = 2500, 90000, 7200000
local places, lengths = { 2000, 500, 1000, 500 }, { 40, 40, 12, 12 }
local slowest, part = 60000, 20
-- A console gives an hour of the log the end that is set for it (lib/manage/denials/retention.ts).
local log, mostOfHour, logLife = KEYS[#KEYS], 1000, 259200

for _, entry in ipairs(entries) do
  redis.call("XADD", KEYS[entry[1]], "MAXLEN", "~", feedLength, "*", "sample", entry[2])
  if entry[3] then redis.call("ZADD", log, entry[3], entry[2]) end
end
if redis.call("ZCARD", log) > mostOfHour then redis.call("ZREMRANGEBYRANK", log, mostOfHour, -1) end
if #entries > 0 then redis.call("EXPIRE", log, logLife) end

local function timeOf(sample) return sample and tonumber(string.match(sample, "^%[(%d+)")) or 0 end

-- The logarithm of the sum of all requests, each doubled with every half-life since 1970.
local function scoreOf(before, requests)
  local gained = now / halfLife + math.log(requests) / math.log(2)
  if not before then return gained end
  local high, low = math.max(before, gained), math.min(before, gained)
  return high + math.log(1 + 2 ^ (low - high)) / math.log(2)
end

local function keep(list, length, samples)
  local isChanged = false
  for _, sample in ipairs(samples) do
    local size = redis.call("LPUSH", list, sample)
    isChanged = isChanged or size <= length
    if size > length then
      local newest, first = timeOf(redis.call("LINDEX", list, 1)), redis.call("LINDEX", list, -1)
      if now - newest >= math.min(slowest, (now - timeOf(first)) / part) then
        -- The last one stays: it says when the client came first.
        redis.call("RPOP", list)
        redis.call("RPOP", list)
        redis.call("RPUSH", list, first)
        isChanged = true
      else
        redis.call("LPOP", list)
        break
      end
    end
  end
  if isChanged then redis.call("EXPIRE", list, day) end
end

local touched = {}
for _, one in ipairs(clients) do
  local which, client, requests, samples = unpack(one)
  local index = KEYS[streams + which]
  local before = tonumber(redis.call("ZSCORE", index, client) or nil)
  redis.call("ZADD", index, string.format("%.9f", scoreOf(before, requests)), client)
  keep(index .. ":" .. client, lengths[which], samples)
  touched[which] = true
end

for which in pairs(touched) do
  local index = KEYS[streams + which]
  local excess = redis.call("ZCARD", index) - places[which]
  if excess > 0 then
    for _, client in ipairs(redis.call("ZRANGE", index, 0, excess - 1)) do redis.call("DEL", index .. ":" .. client) end
    redis.call("ZREMRANGEBYRANK", index, 0, excess - 1)
  end
  redis.call("EXPIRE", index, day)
end
