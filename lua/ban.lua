-- Puts an address on the blocklist for a rule, once however many nodes ask, longer each time. No secret reaches the nodes, so
-- the audit record waits, under the change's number, for somebody who can seal it.
-- Runs on the control server, which is never a cluster: where a change's progress is kept is known only here.
-- KEYS  the entry, the address' history (hash: rule → bans so far; "" → when the last one began), pending bans (hash), change
--       counter, what the progress of a change begins with, then the safelist's entries that would cover the address
-- ARGV  the entry's value, what is to be recorded (JSON), rule, first duration and cap in ms, for how many ms after a ban
--       none follows, most bans that may be pending
-- Reply "banned", or why not: "standing" (an entry is there, or was a moment ago), "safelisted", "full"
local entry, history, pending, counter, progress = unpack(KEYS, 1, 5)
local value, wanted, rule = unpack(ARGV, 1, 3)
local first, cap, grace, most = tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[7])
local firstSafe, hour, day = 6, 3600000, 86400000

local time = redis.call("TIME")
local now = time[1] * 1000 + math.floor(time[2] / 1000)

local function kind(key) return redis.call("TYPE", key).ok end

-- include: last-change.lua

-- Anybody may have written here: what is no number counts as none.
local function whole(text)
  local number = text and text:match("^%d+$") and tonumber(text)
  return number and number < 2 ^ 53 and number or 0
end

if kind(entry) ~= "none" then return "standing" end
for _, safe in ipairs(redis.call("MGET", unpack(KEYS, firstSafe))) do
  if safe then return "safelisted" end
end
local isOurs = kind(history) == "hash"
local past = isOurs and redis.call("HMGET", history, "", rule) or {}
if math.abs(now - whole(past[1])) < grace then return "standing" end
if redis.call("HLEN", pending) >= most then return "full" end

local earlier = whole(past[2])
local duration = math.min(cap, first * 2 ^ earlier)
local record = cjson.decode(wanted)
record.expiresAt = now + duration

-- The first write is the one that may fail (another type, memory full, read-only server); the others cannot.
local change = lastChange(counter)
repeat change = change + 1 until redis.call("HSETNX", pending, change, cjson.encode(record)) == 1
redis.call("SET", entry, value, "PXAT", now + duration)
if not isOurs then redis.call("DEL", history) end
redis.call("HSET", history, "", now, rule, earlier + 1)
local keep = duration + math.max(cap, day)
if redis.call("PTTL", history) < keep then redis.call("PEXPIRE", history, keep) end
redis.call("SET", counter, change)
redis.call("DEL", progress .. change)
redis.call("HSET", progress .. change, "at", now)
redis.call("PEXPIRE", progress .. change, hour)
return "banned"
