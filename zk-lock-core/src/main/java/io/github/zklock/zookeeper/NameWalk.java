package io.github.zklock.zookeeper;

import io.github.zklock.LockName;
import java.util.ArrayList;
import java.util.List;

/** Walks the folders below the base path in the order of their paths, and collects one page of lock names. */
final class NameWalk {

    /** Lists a folder; empty if it is gone. */
    interface Lister {
        List<String> list(String folder) throws InterruptedException;
    }

    private final String base;
    private final String after;
    private final int limit;
    private final Lister lister;
    private final List<LockName> page = new ArrayList<>();

    /** @param after the last folder of the page before, or empty */
    NameWalk(String base, String after, int limit, Lister lister) {
        this.base = base;
        this.after = after;
        this.limit = limit;
        this.lister = lister;
    }

    List<LockName> below(String folder) throws InterruptedException {
        List<String> folders = lister.list(folder).stream()
                .filter(child -> SeatName.parse(child).isEmpty())
                .filter(child -> !folder.equals("/") || !child.equals("zookeeper"))
                .sorted()
                .toList();
        for (String child : folders) {
            if (page.size() < limit) {
                visit(folder.equals("/") ? "/" + child : folder + "/" + child);
            }
        }
        return page;
    }

    private void visit(String folder) throws InterruptedException {
        // all below a folder that sorts before the last one, and is no ancestor of it, was on an earlier page
        boolean past = compare(folder, after) > 0;
        if (past) {
            add(folder);
        }
        if (page.size() < limit && (past || after.equals(folder) || after.startsWith(folder + "/"))) {
            below(folder);
        }
    }

    private void add(String folder) {
        try {
            LockName name = LockFolder.nameOf(base.equals("/") ? folder : folder.substring(base.length()));
            // otherwise somebody else made the folder: no lock of ours can have it
            if (LockFolder.of(base, name).equals(folder)) {
                page.add(name);
            }
        } catch (IllegalArgumentException notOurs) {
            return;
        }
    }

    /** Compares segment by segment: a folder comes before what is in it, and that before its next sibling. */
    private static int compare(String one, String other) {
        return one.replace('/', '\u0001').compareTo(other.replace('/', '\u0001'));
    }
}
