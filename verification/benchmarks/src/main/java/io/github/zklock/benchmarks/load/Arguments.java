package io.github.zklock.benchmarks.load;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The arguments of a load: words of the form {@code name=value}. */
record Arguments(Map<String, String> values) {

    static Arguments parse(List<String> words) {
        Map<String, String> values = new HashMap<>();
        for (String word : words) {
            int equals = word.indexOf('=');
            if (equals < 1) {
                throw new IllegalArgumentException("'" + word + "' is not of the form name=value");
            }
            values.put(word.substring(0, equals), word.substring(equals + 1));
        }
        return new Arguments(values);
    }

    String text(String name) {
        String value = values.get(name);
        if (value == null) {
            throw new IllegalArgumentException("No " + name + "= in " + values);
        }
        return value;
    }

    int number(String name) {
        return Integer.parseInt(text(name));
    }

    int number(String name, int otherwise) {
        return values.containsKey(name) ? number(name) : otherwise;
    }
}
