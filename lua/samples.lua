-- Finds the newest samples in streams of the feed, by values in them.
-- KEYS  streams
-- ARGV  most of each stream, JSON [[place, value as JSON text, whether a part of it is enough], …]; a sample is a JSON array, and
--       a place an index of it, from 1
-- Reply for each stream: number of its entries, id of the oldest or "", [[id, [field, sample]], …] newest first
local most, filters = tonumber(ARGV[1]), cjson.decode(ARGV[2])
local page, mostRead = 250, 3000

local needles, values = {}, {}
for i, filter in ipairs(filters) do
  needles[i] = filter[3] and string.sub(filter[2], 2, -2) or filter[2]
  values[i] = cjson.decode("[" .. filter[2] .. "]")[1]
end

local function isWanted(text)
  for i = 1, #needles do
    if not string.find(text, needles[i], 1, true) then return false end
  end
  if #filters == 0 then return true end
  -- Another value may contain the text: few are decoded to find out.
  local isSample, sample = pcall(cjson.decode, text)
  if not isSample or type(sample) ~= "table" then return false end
  for i, filter in ipairs(filters) do
    local value = tostring(sample[filter[1]])
    if value ~= values[i] and not (filter[3] and string.find(value, values[i], 1, true)) then return false end
  end
  return true
end

local function find(stream)
  local found, before, read = {}, "+", 0
  while #found < most and read < mostRead do
    local entries = redis.call("XREVRANGE", stream, before, "-", "COUNT", #filters == 0 and most or page)
    if #entries == 0 then break end
    for _, entry in ipairs(entries) do
      if #found < most and isWanted(entry[2][2]) then found[#found + 1] = entry end
    end
    read = read + #entries
    before = "(" .. entries[#entries][1]
  end
  return found
end

local replies = {}
for i, stream in ipairs(KEYS) do
  local oldest = redis.call("XRANGE", stream, "-", "+", "COUNT", 1)[1]
  replies[i] = { redis.call("XLEN", stream), oldest and oldest[1] or "", oldest and find(stream) or {} }
end
return replies
