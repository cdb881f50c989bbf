-- Part of weigh: a rolling window in a list, newest first. Reads rollingList, pcall. Writes windows.
windows[rollingList] = {
  at = function(name, index) return pcall("LINDEX", name, index) end,
  length = function(name) return pcall("LLEN", name) end,
  push = function(name, member, head)
    if head.alive < head.length then pcall("LTRIM", name, 0, head.alive - 1) end
    return pcall("LPUSH", name, member)
  end,
}
