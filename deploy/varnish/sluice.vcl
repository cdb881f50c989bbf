# Sluice at the edge: Varnish (Debian: varnish and varnish-vmod-digest) denies the clients that Sluice limits. Put this file and
# sluice-table.vcl into a folder that Sluice may write to, and include it before any subroutine of your own:
#
#   vcl 4.1;
#   include "/etc/varnish/sluice/sluice.vcl";
#   backend default { .host = "127.0.0.1"; .port = "8080"; }
#
# A limited client gets the page from the cache, else a stale one, else a 429. Its requests never reach the backend, not even in
# the background. Your own vcl_recv runs first: what it forbids stays forbidden, and its changes of the request count. Your own
# vcl_hit and vcl_deliver run for limited clients, too. Limited clients do not reach your own vcl_pass, vcl_miss and vcl_pipe.

import digest;
import std;

include "./sluice-table.vcl";

# The client's address, as the apps behind this see it too: Varnish has added it to X-Forwarded-For already, and apps trust one
# hop more. Where only another proxy of yours can reach Varnish, put the address that it reports here. It is left of the
# proxy's own address:
#   set req.http.X-Sluice-Client = regsub(req.http.X-Forwarded-For, "^.*?([^, ]+), *[^, ]+$", "\1");
# Never use a value that clients can write.
sub sluice_client {
  set req.http.X-Sluice-Client = client.ip;
}

sub sluice_decide {
  call sluice_client;
  set req.http.X-Sluice-Broad =
    req.http.X-Sluice-Client + ":" + regsub(req.http.User-Agent, "(?s)^(.{256}).*$", "\1");
  # The host in lower case and without its port, also of an IPv6 address in brackets; the path without its query.
  set req.http.X-Sluice-Page =
    std.tolower(regsub(req.http.Host, "^([^\]:]*|.*\][^\]:]*):[^\]]*$", "\1")) + ":" +
    regsub(req.url, "(?s)\?.*$", "");
  set req.http.X-Sluice-Key =
    digest.hash_sha1(req.http.X-Sluice-Page + ":" + req.method + ":" + req.http.X-Sluice-Broad);
  call sluice_look_up;
  # For a page that is not in the cache Varnish asks by GET, so that is how the apps have counted a HEAD.
  if (!req.http.X-Sluice-Limited && req.method == "HEAD") {
    set req.http.X-Sluice-Key = digest.hash_sha1(req.http.X-Sluice-Page + ":GET:" + req.http.X-Sluice-Broad);
    call sluice_look_up;
  }
  if (!req.http.X-Sluice-Limited) {
    set req.http.X-Sluice-Key = digest.hash_sha1(req.http.X-Sluice-Broad);
    call sluice_look_up;
  }
  unset req.http.X-Sluice-Client;
  unset req.http.X-Sluice-Broad;
  unset req.http.X-Sluice-Page;
  unset req.http.X-Sluice-Key;
}

sub vcl_recv {
  if (req.restarts == 0) {
    # Clients must not set these.
    unset req.http.X-Sluice-Limited;
    unset req.http.X-Sluice-Again;
  }
  # vcl_pass sent it back.
  if (req.http.X-Sluice-Limited && req.http.X-Sluice-Again) {
    return (hash);
  }
}

# Runs after your vcl_recv whatever that decides, so that host, path and user agent are those that the apps see.
sub vcl_hash {
  if (!req.http.X-Sluice-Limited) {
    call sluice_decide;
  }
}

# The request would bypass the cache, because of a cookie for example. A limited request is looked up there all the same.
sub vcl_pass {
  if (req.http.X-Sluice-Limited) {
    if (req.http.X-Sluice-Again) {
      return (synth(429));
    }
    set req.http.X-Sluice-Again = "true";
    return (restart);
  }
}

sub vcl_pipe {
  if (req.http.X-Sluice-Limited) {
    return (synth(429));
  }
}

sub vcl_miss {
  if (req.http.X-Sluice-Limited) {
    return (synth(429));
  }
}

sub vcl_hit {
  if (req.http.X-Sluice-Limited) {
    if (req.method != "GET" && req.method != "HEAD") {
      return (synth(429));
    }
    # No return here: the site's own vcl_hit comes next, then Varnish's built-in one, which delivers the page.
  }
  # Kept only for limited clients. Others wait for a new page, as they would without Sluice.
  elseif (obj.grace == 3601s && obj.ttl + std.duration(obj.http.X-Sluice-Grace, 0s) < 0s && !req.http.X-Sluice-Again) {
    set req.http.X-Sluice-Again = "true";
    set req.grace = 0s;
    return (restart);
  }
}

sub vcl_backend_fetch {
  # Varnish would fetch a new page in the background for the limited client.
  if (bereq.http.X-Sluice-Limited) {
    return (abandon);
  }
  unset bereq.http.X-Sluice-Again;
}

sub vcl_backend_response {
  unset beresp.http.X-Sluice-Grace;
  # How long a page is kept past its time for limited clients: an hour, and a second by which vcl_hit tells it from an hour of
  # yours. A grace that you set below this wins.
  if (!beresp.uncacheable && beresp.ttl > 0s && beresp.grace < 3601s && beresp.status < 500 && !beresp.http.Set-Cookie &&
      beresp.http.Vary != "*" &&
      beresp.http.Cache-Control !~ "(?i)private|no-cache|no-store|must-revalidate|proxy-revalidate") {
    set beresp.http.X-Sluice-Grace = beresp.grace + "s";
    set beresp.grace = 3601s;
  }
}

sub vcl_deliver {
  unset resp.http.X-Sluice-Grace;
  if (req.http.X-Sluice-Limited) {
    set resp.http.X-Sluice-Edge = "limited";
  }
}

sub vcl_synth {
  if (resp.status == 429 && req.http.X-Sluice-Limited) {
    set resp.reason = "Too Many Requests";
    set resp.http.Content-Type = "text/html; charset=utf-8";
    set resp.http.Cache-Control = "private, no-store";
    # The policy's cool-down: a client that is quiet for this long is admitted again.
    set resp.http.Retry-After = "600";
    set resp.http.X-Content-Type-Options = "nosniff";
    set resp.http.X-Sluice-Edge = "limited";
    set resp.body = {"<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>Too Many Requests</title><h1>Too Many Requests</h1><p>You have sent more requests than are accepted. Try again later.</p></html>
"};
    return (deliver);
  }
}
