package io.github.zklock.zookeeper.internal.engine;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import io.github.zklock.zookeeper.internal.engine.Plant.Edit;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/** A source into which bugs are planted. It finds members by parsing, and the code within a member by comparing tokens. */
final class PlantedSource extends SimpleJavaFileObject {

    private static final Pattern BLANK = Pattern.compile("\\s+|//[^\\n]*|/\\*(?s:.*?)\\*/");
    private static final Pattern TOKEN = Pattern.compile(BLANK + "|(?<token>"
            + String.join(
                    "|",
                    "\"\"\"(?s:.*?)\"\"\"",
                    "\"(?:\\\\.|[^\"\\\\])*\"",
                    "'(?:\\\\.|[^'\\\\])+'",
                    "[\\p{L}_$][\\p{L}\\p{N}_$]*",
                    "[0-9][\\w.]*",
                    // no shifts: two closing brackets of types look like one
                    "->|::|\\+\\+|--|&&|\\|\\||<<|[-+*/%&|^!=<>]=|\\.\\.\\.",
                    ".")
            + ")");

    private record Piece(String text, int start, int end) {}

    /** A member of a type, from its first character to behind its last one. Its body begins behind the first brace. */
    private record Member(int start, int body, int end) {}

    private final String path;
    private final String text;
    private volatile @Nullable Map<String, List<Member>> members;

    /** @param path the path below the root of the sources */
    PlantedSource(String path, String text) {
        super(URI.create("memory:///" + path), Kind.SOURCE);
        this.path = path;
        this.text = text;
    }

    @Override
    public String getCharContent(boolean ignoreEncodingErrors) {
        return text;
    }

    /**
     * Returns this source with a change.
     *
     * @throws IllegalArgumentException if the code of the edit does not occur exactly once in its member
     */
    PlantedSource with(Edit edit) {
        Map<String, List<Member>> known = members;
        if (known == null) {
            known = parsed();
            members = known;
        }
        List<Piece> places = known.getOrDefault(edit.member(), List.of()).stream()
                .flatMap(member -> places(edit, member))
                .toList();
        if (places.size() != 1) {
            throw new IllegalArgumentException("'" + edit.code() + "' occurs " + places.size() + " times in "
                    + edit.member() + ", not once: bring the edit up to date");
        }
        Piece place = places.get(0);
        return new PlantedSource(
                path, text.substring(0, place.start()) + edit.replacement() + text.substring(place.end()));
    }

    private Stream<Piece> places(Edit edit, Member member) {
        if (edit.code().isEmpty()) {
            return Stream.of(new Piece("", member.body(), member.body()));
        }
        List<Piece> wanted = tokens(edit.code());
        List<Piece> present = tokens(text.substring(member.start(), member.end()));
        List<Piece> places = new ArrayList<>();
        for (int i = 0; i + wanted.size() <= present.size(); i++) {
            List<Piece> here = present.subList(i, i + wanted.size());
            if (texts(here).equals(texts(wanted))) {
                int from = member.start() + here.get(0).start();
                places.add(new Piece(
                        edit.code(),
                        from,
                        member.start() + here.get(here.size() - 1).end()));
            }
        }
        return places.stream();
    }

    private static List<String> texts(List<Piece> tokens) {
        return tokens.stream().map(Piece::text).toList();
    }

    /** Returns the words of a piece of code, without blanks and comments. */
    static List<String> words(String code) {
        return texts(tokens(code));
    }

    private static List<Piece> tokens(String code) {
        return TOKEN.matcher(code)
                .results()
                .filter(match -> match.group(1) != null)
                .map(match -> new Piece(match.group(1), match.start(), match.end()))
                .toList();
    }

    /** Returns the members of all types by their names. Overloaded methods share theirs. */
    private Map<String, List<Member>> parsed() {
        JavacTask task = (JavacTask)
                ToolProvider.getSystemJavaCompiler().getTask(null, null, null, List.of(), null, List.of(this));
        SourcePositions positions = Trees.instance(task).getSourcePositions();
        Map<String, List<Member>> found = new HashMap<>();
        try {
            for (CompilationUnitTree unit : task.parse()) {
                new TreeScanner<Void, String>() {
                    @Override
                    public Void visitClass(ClassTree type, String outer) {
                        String path = outer + type.getSimpleName() + ".";
                        for (Tree each : type.getMembers()) {
                            int start = (int) positions.getStartPosition(unit, each);
                            int end = (int) positions.getEndPosition(unit, each);
                            found.computeIfAbsent(path + nameOf(each), name -> new ArrayList<>())
                                    .add(new Member(start, bodyOf(each), end));
                        }
                        return super.visitClass(type, path);
                    }

                    private int bodyOf(Tree member) {
                        return member instanceof MethodTree method && method.getBody() != null
                                ? (int) positions.getStartPosition(unit, method.getBody()) + 1
                                : -1;
                    }
                }.scan(unit, "");
            }
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
        return found;
    }

    private static String nameOf(Tree member) {
        if (member instanceof MethodTree method) {
            return method.getName().toString();
        }
        return member instanceof VariableTree field ? field.getName().toString() : "";
    }
}
