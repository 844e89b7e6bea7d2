package io.github.zklock.console;

import java.util.LinkedHashMap;
import java.util.Map;

/** Reads an object of texts from JSON, as the page sends it. Anything else is refused. */
final class TextFields {

    private static final String ESCAPES = "\"\\/bfnrt";
    private static final String ESCAPED = "\"\\/\b\f\n\r\t";

    private final String text;
    private int at;

    private TextFields(String text) {
        this.text = text;
    }

    static Map<String, String> read(String text) {
        return new TextFields(text).object();
    }

    private Map<String, String> object() {
        Map<String, String> fields = new LinkedHashMap<>();
        expect('{');
        if (!next('}')) {
            do {
                String name = string();
                expect(':');
                if (fields.put(name, string()) != null) {
                    throw refused("names a member twice");
                }
            } while (next(','));
            expect('}');
        }
        skipBlanks();
        if (at < text.length()) {
            throw refused("goes on after its end");
        }
        return fields;
    }

    private String string() {
        expect('"');
        StringBuilder value = new StringBuilder();
        for (char c = take(); c != '"'; c = take()) {
            if (c < ' ') {
                throw refused("has a control character in a text");
            }
            value.append(c == '\\' ? escaped(take()) : c);
        }
        return value.toString();
    }

    private char escaped(char c) {
        if (c == 'u') {
            int code = 0;
            for (int i = 0; i < 4; i++) {
                int digit = Character.digit(take(), 16);
                if (digit < 0) {
                    throw refused("has a bad escape");
                }
                code = code << 4 | digit;
            }
            return (char) code;
        }
        int index = ESCAPES.indexOf(c);
        if (index < 0) {
            throw refused("has a bad escape");
        }
        return ESCAPED.charAt(index);
    }

    private void expect(char c) {
        if (!next(c)) {
            throw refused("has no " + c + " where it must");
        }
    }

    private boolean next(char c) {
        skipBlanks();
        boolean found = at < text.length() && text.charAt(at) == c;
        if (found) {
            at++;
        }
        return found;
    }

    private void skipBlanks() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private char take() {
        if (at == text.length()) {
            throw refused("ends too early");
        }
        return text.charAt(at++);
    }

    private IllegalArgumentException refused(String fact) {
        return new IllegalArgumentException(
                "The body is not a JSON object of texts: it " + fact + " (character " + at + ")");
    }
}
