package io.github.zklock.zookeeper.internal.engine;

import java.util.List;
import java.util.Locale;

/** A bug that tests must find: a change of a source of the engine or of another package, made in memory only. */
public record Plant(String name, List<Edit> edits) {

    /**
     * A change of one member. The member and its code are found by their words: line breaks, indents and
     * comments do not matter, and neither does any code around the edit.
     *
     * @param member the top-level type, the nested types and the method or field, such as {@code QueueWatch.Front.arm}
     * @param code what is replaced; it must occur exactly once in the member. Empty: the start of the method's body
     * @param replacement the code in its place
     */
    public record Edit(String member, String code, String replacement) {

        public static Edit delete(String member, String code) {
            return new Edit(member, code, "");
        }

        public static Edit begin(String method, String replacement) {
            return new Edit(method, "", replacement);
        }

        /** Returns the name of the type in whose source the member is. */
        String type() {
            return member.substring(0, member.indexOf('.'));
        }
    }

    public Plant(String name, Edit... edits) {
        this(name, List.of(edits));
    }

    /** Returns the name as one word, for a command line. */
    String id() {
        return name.toLowerCase(Locale.ROOT).replace("'", "").replaceAll("[^a-z0-9]+", "-");
    }

    @Override
    public String toString() {
        return name;
    }
}
