-- Bans an address for a rule, once however many nodes ask, longer each time. The ban has a key of the nodes' own, which every
-- node follows: a node's account can write no entry of the blocklist. The nodes have no secret, so the audit record waits for
-- a console, which seals it, gives the change its number, and makes the ban an entry.
-- KEYS  the blocklist's entry, the ban, the address' history (hash: rule → bans so far; "" → when the last one began), pending
--       bans (hash), then the safelist's entries that would cover the address
-- ARGV  the ban's value, what is to be recorded (JSON), address, rule, first duration and cap in ms, for how many ms after a
--       ban none follows, most bans that may be pending, stream of changes (no key of the script: an account from before
--       there was one may not write it)
-- Reply "banned", or why not: "standing" (it is blocked, or was banned a moment ago), "safelisted", "full"
local entry, ban, history, pending = unpack(KEYS, 1, 4)
local value, wanted, address, rule = unpack(ARGV, 1, 4)
local first, cap, grace, most = tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[7]), tonumber(ARGV[8])
local changes = ARGV[9]
local firstSafe, day = 5, 86400000

local time = redis.call("TIME")
local now = time[1] * 1000 + math.floor(time[2] / 1000)

local function kind(key) return redis.call("TYPE", key).ok end

-- include: announce.lua

-- Other programs may have written here: a text that is no number counts as 0.
local function whole(text)
  local number = text and text:match("^%d+$") and tonumber(text)
  return number and number < 2 ^ 53 and number or 0
end

if kind(entry) ~= "none" or kind(ban) ~= "none" then return "standing" end
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
if redis.call("HSETNX", pending, string.format("%s@%.0f", address, now), cjson.encode(record)) == 0 then return "standing" end
-- Every node follows this key. Bans are written here only.
redis.call("SET", ban, value, "PXAT", now + duration)
if not isOurs then redis.call("DEL", history) end
redis.call("HSET", history, "", now, rule, earlier + 1)
local keep = duration + math.max(cap, day)
if redis.call("PTTL", history) < keep then redis.call("PEXPIRE", history, keep) end
announce(changes, "", {ban})
return "banned"
