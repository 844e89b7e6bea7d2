package io.github.zklock.zookeeper.internal.queue;

import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * JSON objects of texts and whole numbers without nesting, which is enough for a seat's data. Other clients may have
 * written what is read: other JSON, or a long text, is no object.
 */
public final class FlatJson {

    /** The length of the longest text, in characters. */
    public static final int LONGEST = 4096;

    private final String text;
    private int at;

    private FlatJson(String text) {
        this.text = text;
    }

    /** Returns the fields, as {@link String} and {@link Long}. */
    public static Optional<Map<String, Object>> read(String json) {
        try {
            return json.length() > LONGEST ? Optional.empty() : Optional.of(new FlatJson(json.strip()).whole());
        } catch (IllegalArgumentException | IndexOutOfBoundsException malformed) {
            return Optional.empty();
        }
    }

    private Map<String, Object> whole() {
        Map<String, Object> object = object();
        if (at < text.length()) {
            throw new IllegalArgumentException("More text at " + at);
        }
        return object;
    }

    private Map<String, Object> object() {
        Map<String, Object> fields = new LinkedHashMap<>();
        expect('{');
        boolean more = peek() != '}';
        while (more) {
            String key = string();
            expect(':');
            fields.put(key, peek() == '"' ? string() : number());
            more = peek() == ',';
            if (more) {
                expect(',');
            }
        }
        expect('}');
        return fields;
    }

    private String string() {
        expect('"');
        StringBuilder value = new StringBuilder();
        for (char c = text.charAt(at++); c != '"'; c = text.charAt(at++)) {
            value.append(c == '\\' ? escaped() : c);
        }
        return value.toString();
    }

    private char escaped() {
        char c = text.charAt(at++);
        return switch (c) {
            case 'n' -> '\n';
            case 't' -> '\t';
            case 'r' -> '\r';
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'u' -> (char) HexFormat.fromHexDigits(text, at, at += 4);
            default -> c;
        };
    }

    private long number() {
        int from = at;
        while (at < text.length() && "+-0123456789".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        return Long.parseLong(text.substring(from, at));
    }

    private void expect(char c) {
        if (peek() != c) {
            throw new IllegalArgumentException("No " + c + " at " + at);
        }
        at++;
    }

    private char peek() {
        while (Character.isWhitespace(text.charAt(at))) {
            at++;
        }
        return text.charAt(at);
    }

    /** Appends the text as a JSON string. */
    public static void quote(StringBuilder json, String value) {
        json.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                json.append('\\').append(c);
            } else if (c < ' ') {
                json.append("\\u%04x".formatted((int) c));
            } else {
                json.append(c);
            }
        }
        json.append('"');
    }
}
