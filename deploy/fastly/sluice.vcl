# Sluice at the edge: Fastly denies the clients that Sluice limits. Upload it as custom VCL of the name "sluice", with an edge dictionary
# of the name sluice, and call it from your own VCL:
#
#   include "sluice";
#
#   sub vcl_recv {
#   #FASTLY recv
#     ... your changes of host and path, and your refusals
#     call sluice_recv;
#     ... and only then any return
#   }
#
# Likewise, right below Fastly's own line: sluice_miss in vcl_miss, sluice_pass in vcl_pass, sluice_error in vcl_error and
# sluice_deliver in vcl_deliver.
#
# A limited client gets the page from the cache, else a stale one, else a 429. Its requests never reach the origin. Requests that
# your VCL passes are refused. For stale pages your answers need stale-if-error, or beresp.stale_if_error in vcl_fetch.

sub sluice_recv {
  declare local var.broad STRING;
  declare local var.page STRING;

  # Where the client comes in, not at a shield behind it, where it would be the address of another Fastly server.
  if (fastly.ff.visits_this_service == 0 && req.restarts == 0) {
    # Clients must not set this.
    unset req.http.X-Sluice-Limited;

    # Behind another proxy of yours, put the address that it reports here. Never use a value that clients can write.
    set var.broad = client.ip ":" if(req.http.User-Agent, substr(req.http.User-Agent, 0, 256), "");
    # The host in lower case and without its port, also of an IPv6 address in brackets; the path without its query.
    set var.page =
      std.tolower(regsub(req.http.Host, "^([^\]:]*|.*\][^\]:]*):[^\]]*$", "\1")) ":" regsub(req.url, "\?.*$", "");

    if (table.lookup(sluice, digest.hash_sha1(var.page ":" req.method ":" var.broad), "") == "true") {
      set req.http.X-Sluice-Limited = "true";
    }
    # For a page that is not in the cache Fastly asks by GET, so that is how the apps have counted a HEAD.
    if (req.method == "HEAD" && table.lookup(sluice, digest.hash_sha1(var.page ":GET:" var.broad), "") == "true") {
      set req.http.X-Sluice-Limited = "true";
    }
    if (table.lookup(sluice, digest.hash_sha1(var.broad), "") == "true") {
      set req.http.X-Sluice-Limited = "true";
    }
    # A purge is never limited.
    if (req.method == "FASTLYPURGE") {
      unset req.http.X-Sluice-Limited;
    }
  }

  if (req.http.X-Sluice-Limited && req.method != "GET" && req.method != "HEAD") {
    error 629;
  }
}

# Also for the background fetch that follows a stale page.
sub sluice_miss {
  if (req.http.X-Sluice-Limited) {
    error 629;
  }
}

sub sluice_pass {
  if (req.http.X-Sluice-Limited) {
    error 629;
  }
}

sub sluice_error {
  if (obj.status == 629) {
    if (stale.exists) {
      return(deliver_stale);
    }
    set obj.status = 429;
    set obj.response = "Too Many Requests";
    set obj.http.Content-Type = "text/html; charset=utf-8";
    set obj.http.Cache-Control = "private, no-store";
    # The policy's cool-down: a client that is quiet for this long is admitted again.
    set obj.http.Retry-After = "600";
    set obj.http.X-Content-Type-Options = "nosniff";
    synthetic {"<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>Too Many Requests</title><h1>Too Many Requests</h1><p>You have sent more requests than are accepted. Try again later.</p></html>
"};
    return(deliver);
  }
}

sub sluice_deliver {
  if (req.http.X-Sluice-Limited) {
    set resp.http.X-Sluice-Edge = "limited";
  }
}
