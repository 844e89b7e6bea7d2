package io.github.zklock.docs.check;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads {@code claims.txt}, and finds the names in it that the repository does not have. */
final class Claims {

    private static final Pattern TEST = Pattern.compile("(?:.*/)?src/test/.*/(\\w+)\\.(?:java|kt)");

    private final Map<String, String> tests = new HashMap<>();
    private final Build build;

    Claims(Build build) {
        this.build = build;
        for (String file : build.files()) {
            Matcher test = TEST.matcher(file);
            if (test.matches()) {
                tests.merge(test.group(1), Document.read(file).text(), String::concat); // modules may use a name twice
            }
        }
    }

    /** Returns a message for each page, heading, test and command that does not exist. */
    List<String> problems(List<String> lines) {
        List<String> problems = new ArrayList<>();
        String page = "";
        for (String line : lines) {
            String name = line.strip();
            if (name.startsWith("#") || name.startsWith("\"") || name.startsWith("source: ")) {
                continue;
            }
            int indentation = line.indexOf(name);
            if (indentation == 0) {
                page = name;
                if (!build.files().contains(page)) {
                    problems.add("there is no page " + page);
                }
            } else if (indentation == 2) {
                if (build.files().contains(page)
                        && !Document.read(page).headings().contains(name)) {
                    problems.add(page + " has no heading '" + name + "'");
                }
            } else if (name.startsWith("$ ")) {
                build.missing(name.substring(2)).forEach(missing -> problems.add("the build has no " + missing));
            } else if (!isTest(name)) {
                problems.add("there is no test " + name);
            }
        }
        return problems;
    }

    /** Returns whether there is such a class or, as {@code Class.method}, a method of it or of its superclass. */
    private boolean isTest(String name) {
        int dot = name.indexOf('.');
        return dot < 0 ? tests.containsKey(name) : hasMethod(name.substring(0, dot), name.substring(dot + 1));
    }

    private boolean hasMethod(String type, String method) {
        String source = tests.get(type);
        if (source == null) {
            return false;
        }
        if (Pattern.compile("\\b" + Pattern.quote(method) + "\\s*\\(")
                .matcher(source)
                .find()) {
            return true;
        }
        Matcher parent =
                Pattern.compile("class " + type + "(?:<.*?>)? extends (\\w+)").matcher(source);
        return parent.find() && hasMethod(parent.group(1), method);
    }
}
