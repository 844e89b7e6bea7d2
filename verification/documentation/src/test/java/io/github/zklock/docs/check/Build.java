package io.github.zklock.docs.check;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What of the build documents may name: modules, profiles, artifacts, test classes, files, fault scenarios. */
record Build(
        Set<String> modules,
        Set<String> profiles,
        Set<String> artifacts,
        Set<String> classes,
        Set<String> files,
        Set<String> scenarios) {

    private static final Pattern ARTIFACT = Pattern.compile("<artifactId>\\s*([^<\\s]+)\\s*</artifactId>");
    private static final Pattern MODULE = Pattern.compile("<module>\\s*([^<\\s]+)\\s*</module>");
    private static final Pattern PROFILE = Pattern.compile("<profile>\\s*(?:<!--(?s:.*?)-->\\s*)?<id>([^<]+)</id>");
    private static final Pattern USES = Pattern.compile("<(?:dependency|plugin|extension)>");
    private static final Pattern END_OF_USE = Pattern.compile("</(?:dependency|plugin|extension)>");
    private static final Pattern SCENARIO = Pattern.compile("\"([A-Z]\\d+)\"|public void (\\w+)\\(ScenarioContext");
    private static final Pattern COMMAND_IN_TEXT = Pattern.compile("`((?:mvn|verification/\\S+) [^`]*)`");

    static Build ofTheRepository() {
        Build build = new Build(
                new HashSet<>(), new HashSet<>(), new HashSet<>(), new HashSet<>(), Document.files(), new HashSet<>());
        build.files.forEach(build::add);
        return build;
    }

    private void add(String path) {
        if (path.matches(".*\\.(java|kt)")) {
            classes.add(path.replaceAll(".*/|\\.\\w+$", ""));
            if (path.matches("verification/faults/.*/scenario/.*")) {
                SCENARIO.matcher(Document.read(path).text())
                        .results()
                        .forEach(found -> scenarios.add(found.group(1) == null ? found.group(2) : found.group(1)));
            }
        } else if (path.endsWith("pom.xml")) {
            String pom = Document.read(path).text();
            ARTIFACT.matcher(pom).results().forEach(found -> artifacts.add(found.group(1)));
            MODULE.matcher(pom).results().forEach(found -> modules.add(found.group(1)));
            PROFILE.matcher(pom).results().forEach(found -> profiles.add(found.group(1)));
        }
    }

    /** What the document names and the build does not have. */
    List<String> problems(Document document) {
        List<String> problems = new ArrayList<>();
        for (Document.Block block : document.blocks(Set.of("sh", "xml"))) {
            List<String> content = isProject(block) ? dependenciesAndPlugins(block.content()) : block.content();
            for (int i = 0; i < content.size(); i++) {
                String line = content.get(i);
                List<String> missing = block.language().equals("xml") ? missingArtifacts(line) : missing(line);
                for (String each : missing) {
                    problems.add(document.at(block.opens() + 1 + i) + ": the build has no " + each);
                }
            }
        }
        List<String> prose = document.prose();
        for (int i = 0; i < prose.size(); i++) {
            Matcher command = COMMAND_IN_TEXT.matcher(prose.get(i));
            while (command.find()) {
                for (String each : missing(command.group(1))) {
                    problems.add(document.at(i) + ": the build has no " + each);
                }
            }
        }
        return problems;
    }

    private static boolean isProject(Document.Block block) {
        return block.content().stream().anyMatch(line -> line.strip().startsWith("<project"));
    }

    /** Returns the lines of a whole POM; empty lines stand for its own name, its parent and whatever it only declares. */
    private static List<String> dependenciesAndPlugins(List<String> pom) {
        List<String> lines = new ArrayList<>();
        boolean inside = false;
        for (String line : pom) {
            inside |= USES.matcher(line).find();
            lines.add(inside ? line : "");
            inside &= !END_OF_USE.matcher(line).find();
        }
        return lines;
    }

    private List<String> missingArtifacts(String line) {
        return ARTIFACT.matcher(line)
                .results()
                .map(found -> found.group(1))
                .filter(artifact -> !artifacts.contains(artifact))
                .map(artifact -> "artifact " + artifact)
                .toList();
    }

    /** What the command names and the build does not have. */
    List<String> missing(String command) {
        List<String> words = List.of(command.replaceAll("\\s+#.*", "").strip().split("\\s+", -1));
        List<String> missing = new ArrayList<>();
        String first = words.get(0);
        if (first.matches("[\\w.][\\w./-]*/[\\w./-]+") && !files.contains(first.replaceFirst("^\\./", ""))) {
            missing.add("file " + first);
        }
        for (int i = 1; i < words.size(); i++) {
            if (words.get(i - 1).equals("--scenario")) {
                addMissing(words.get(i), "scenario", scenarios, missing);
            } else if (first.equals("mvn")) {
                addMissingOfMaven(words.get(i - 1), words.get(i), missing);
            }
        }
        return missing;
    }

    private void addMissingOfMaven(String before, String word, List<String> missing) {
        if (before.equals("-pl")) {
            addMissing(word, "module", modules, missing);
        } else if (word.startsWith("-P")) {
            addMissing(word.substring(2), "profile", profiles, missing);
        } else if (word.startsWith("-Dtest=") || word.startsWith("-Dbenchmarks=")) {
            addMissing(word.substring(word.indexOf('=') + 1), "class", classes, missing);
        }
    }

    private static void addMissing(String names, String kind, Set<String> there, List<String> missing) {
        for (String name : names.split(",", -1)) {
            if (!there.contains(name)) {
                missing.add(kind + " " + name);
            }
        }
    }
}
