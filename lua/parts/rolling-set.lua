-- Part of weigh: a rolling window in a sorted set by time. Members differ by their sum, also within one µs.
-- Reads rollingSet, pcall. Writes windows.
windows[rollingSet] = {
  at = function(name, index)
    local members = pcall("ZREVRANGE", name, index, index)
    return members.err and members or members[1]
  end,
  length = function(name) return pcall("ZCARD", name) end,
  push = function(name, member, head)
    if head.alive < head.length then pcall("ZREMRANGEBYRANK", name, 0, head.length - head.alive - 1) end
    return pcall("ZADD", name, head.time, member)
  end,
}
