package io.github.zklock.console;

import java.net.InetAddress;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Who may see the console: whom Spring Security lets pass; where nothing of it guards the page, somebody at this machine,
 * unless the application says otherwise. A page of another site that has its own name lead to this machine is told by
 * the {@code Host} that the browser sends, one that reads across origins by its {@code Origin}, somebody behind a proxy
 * on this machine by what the proxy adds.
 *
 * <p>Not guaranteed: that a proxy on this machine that adds nothing is told from its users.
 */
final class AccessRule {

    private static final Pattern LOCAL_HOST = Pattern.compile("(?i)(localhost|127\\.0\\.0\\.1|\\[::1])(:\\d{1,5})?");

    private static final String REMEDY = " Guard the page by Spring Security, or set zk.lock.console.remote-access=true"
            + " to show it to everybody who can reach the application.";

    private final boolean remoteAccess;
    private final boolean addressesAreRewritten;

    /** @param addressesAreRewritten whether the server takes the addresses of clients from what proxies say */
    AccessRule(boolean remoteAccess, boolean addressesAreRewritten) {
        this.remoteAccess = remoteAccess;
        this.addressesAreRewritten = addressesAreRewritten;
    }

    /** Why this request is not answered; empty if it is. */
    Optional<String> refusal(ConsoleRequest request) {
        if (request.guarded() || remoteAccess) {
            return Optional.empty();
        }
        return whyNotLocal(request)
                .map(reason -> "The console answers requests from this machine only, and " + reason + "." + REMEDY);
    }

    private Optional<String> whyNotLocal(ConsoleRequest request) {
        if (addressesAreRewritten) {
            return Optional.of("this application takes addresses from the headers of proxies"
                    + " (server.forward-headers-strategy), which anybody may send");
        }
        InetAddress remote = request.remote();
        if (remote == null || !remote.isLoopbackAddress()) {
            return Optional.of("this one comes from another");
        }
        if (request.headers().headerNames().stream().anyMatch(AccessRule::isOfAProxy)) {
            return Optional.of("this one came through a proxy");
        }
        // none at all, or several, is nobody's browser
        if (!LOCAL_HOST.matcher(request.host()).matches()) {
            return Optional.of("this one names another in its Host header");
        }
        // an application may let pages of other sites read its answers (CORS); not these
        return request.crossesOrigins()
                ? Optional.of("this one was made by a page of another origin")
                : Optional.empty();
    }

    private static boolean isOfAProxy(String header) {
        return header.equalsIgnoreCase("Forwarded")
                || header.equalsIgnoreCase("Via")
                || header.equalsIgnoreCase("X-Real-IP")
                || header.regionMatches(true, 0, "X-Forwarded-", 0, "X-Forwarded-".length());
    }
}
