package io.github.zklock.console;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The address of the other end of a connection, from its text. */
final class RemoteAddress {

    private static final Pattern LITERAL = Pattern.compile("[0-9a-fA-F:.]+(%[\\w.-]+)?");

    private RemoteAddress() {}

    /** Null if it is not an address: no name is looked up. */
    static @Nullable InetAddress of(@Nullable String text) {
        boolean literal = text != null
                && LITERAL.matcher(text).matches()
                && (text.indexOf(':') >= 0 || Character.isDigit(text.charAt(text.length() - 1)));
        try {
            return literal ? InetAddress.getByName(text) : null;
        } catch (UnknownHostException notAnAddress) {
            return null;
        }
    }
}
