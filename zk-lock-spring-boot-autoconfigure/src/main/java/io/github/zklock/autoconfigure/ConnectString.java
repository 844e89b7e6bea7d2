package io.github.zklock.autoconfigure;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.zookeeper.common.PathUtils;

/**
 * Checks the syntax of a connect string, {@code host:port,host:port/path}. Without the check, the client would retry in
 * the background and report no error.
 */
final class ConnectString {

    private static final String REMEDY = "use host:port,host:port, optionally followed by a path";

    /** A host name, an IPv4 address, or an IPv6 address in brackets, with an optional port. */
    private static final Pattern SERVER =
            Pattern.compile("(?<host>[^\\s:;\\[\\]]+|\\[[0-9A-Fa-f:.%\\w]+])(:(?<port>.*))?");

    private ConnectString() {}

    /** @param subject the property or other source of the text, for messages */
    static void check(String subject, String text) {
        if (text.isBlank()) {
            throw new InvalidZkLockPropertyException(subject, "is blank", REMEDY);
        }
        int slash = text.indexOf('/');
        if (slash >= 0) {
            checkPath(subject, text, text.substring(slash).trim());
        }
        for (String server : (slash < 0 ? text : text.substring(0, slash)).split(",", -1)) {
            checkServer(subject, text, server.trim());
        }
    }

    private static void checkPath(String subject, String text, String path) {
        try {
            PathUtils.validatePath(path);
        } catch (IllegalArgumentException wrong) {
            String hint = path.startsWith("//") ? "is a URL" : "ends with an invalid ZooKeeper path";
            throw new InvalidZkLockPropertyException(subject, "'" + text + "' " + hint, REMEDY);
        }
    }

    private static void checkServer(String subject, String text, String server) {
        Matcher parts = SERVER.matcher(server);
        if (server.isEmpty() || server.startsWith(":")) {
            throw new InvalidZkLockPropertyException(subject, "'" + text + "' has a server without a host", REMEDY);
        }
        if (!parts.matches()) {
            throw new InvalidZkLockPropertyException(
                    subject, "'" + text + "' has the server '" + server + "', which is not host:port", REMEDY);
        }
        String port = parts.group("port");
        if (port != null && !isPort(port)) {
            throw new InvalidZkLockPropertyException(
                    subject, "'" + text + "' has the port '" + port + "'", "use a number from 1 to 65535");
        }
    }

    private static boolean isPort(String text) {
        try {
            int port = Integer.parseInt(text);
            return port > 0 && port <= 65_535;
        } catch (NumberFormatException notOne) {
            return false;
        }
    }
}
