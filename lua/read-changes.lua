-- The changes since a place in the stream of changes, and the number of the last change.
-- The stream is an argument, not a key: an account without a right to it still reads the number. Runs on the control
-- server, which is never a cluster.
-- KEYS  change counter
-- ARGV  stream, id of the last entry read ("" asks only for the newest place; "0-0" is an empty stream), most entries
-- Reply {number, id of the last entry read now, 1 if nothing is missing before these entries, {change, keys (JSON), mark, ...}}
--       A mark is that of a shared scan: "" or "<kind> <id since which the scan announces all differences> <ms of a walk> <age in ms>".
--       Without a place, the reply has the newest mark of the last entries.
local counter = KEYS[1]
local stream, last, most = ARGV[1], ARGV[2], tonumber(ARGV[3])
local empty, kept, remembered = "0-0", 1000, 100

-- Without the right to read the stream, or where another type is in its place, it counts as empty.
local function range(...)
  local entries = redis.pcall(...)
  return entries.err and {} or entries
end

local text = redis.call("TYPE", counter).ok == "string" and redis.call("GET", counter)
local number = text and #text <= 16 and text:match("^%d+$") and tonumber(text) or 0
local time = redis.call("TIME")
local now = time[1] * 1000 + math.floor(time[2] / 1000)

local function read(entry)
  local fields = {}
  for k = 1, #entry[2], 2 do fields[entry[2][k]] = entry[2][k + 1] end
  return fields
end

local function markOf(entry, fields)
  if not fields.scan then return "" end
  local since = fields.since == "" and entry[1] or fields.since or ""
  local age = now - (tonumber(entry[1]:match("^%d+")) or now)
  return string.format("%s %s %s %.0f", fields.scan, since, fields.walk or "", math.max(0, age))
end

if last == "" then
  local newest = range("XREVRANGE", stream, "+", "-", "COUNT", remembered)
  for _, entry in ipairs(newest) do
    local mark = markOf(entry, read(entry))
    if mark ~= "" then return {number, newest[1][1], 1, {"", "[]", mark}} end
  end
  return {number, newest[1] and newest[1][1] or empty, 1, {}}
end
local entries = range("XRANGE", stream, "(" .. last, "+", "COUNT", most)
if #entries == 0 then return {number, last, 1, {}} end
-- The stream is trimmed at its beginning: the entry read last must still be there.
local isWhole
if last == empty then isWhole = redis.call("XLEN", stream) < kept
else isWhole = #range("XRANGE", stream, last, last) == 1 end
local changes = {}
for i, entry in ipairs(entries) do
  local fields = read(entry)
  changes[3 * i - 2], changes[3 * i - 1], changes[3 * i] = fields.change or "", fields.keys or "[]", markOf(entry, fields)
end
return {number, entries[#entries][1], isWhole and 1 or 0, changes}
