package io.github.zklock.faults.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.apache.zookeeper.data.StatPersisted;
import org.apache.zookeeper.server.DataTree;
import org.apache.zookeeper.server.ZKDatabase;
import org.apache.zookeeper.server.persistence.FileTxnSnapLog;

/**
 * Changes what a server that is not running has stored, in a way that no client could within a human life. It is a process
 * of its own, as the release that wrote the store has to read it.
 */
public final class StoreEditor {

    private StoreEditor() {}

    /**
     * Lets a folder look as if it had seen so many creates, on all servers of an ensemble that is down: the next
     * sequential node below it gets that number.
     */
    public static void setSequence(List<ServerProcess> servers, String path, int sequence) {
        // what was agreed is on most servers, so whoever wrote most knows all of it
        ServerProcess source = servers.stream()
                .max(Comparator.comparingLong(server -> server.transactionLog().last()))
                .orElseThrow();
        edit(source, path, sequence);
        servers.stream().filter(server -> !server.equals(source)).forEach(server -> copy(source, server));
    }

    private static void edit(ServerProcess server, String path, int sequence) {
        List<String> command =
                List.of(StoreEditor.class.getName(), server.folder().toString(), path, Integer.toString(sequence));
        Redirect log = Redirect.appendTo(server.log().toFile());
        Jvm jvm =
                Jvm.of(Jdk.own(), server.release().jars(), List.of("-Xmx256m")).brief();
        try (ChildProcess editor = ChildProcess.start("store-editor", jvm, server.log(), log, command)) {
            int exit = editor.process().waitFor();
            if (exit != 0) {
                throw new IllegalStateException("The surgery on " + server.name() + " failed: see " + server.log());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted", e);
        }
    }

    private static void copy(ServerProcess from, ServerProcess to) {
        Ensemble.deleteRecursively(to.transactionLogs());
        try (Stream<Path> files = Files.list(from.transactionLogs())) {
            Files.createDirectories(to.transactionLogs());
            for (Path file : files.toList()) {
                Files.copy(file, to.transactionLogs().resolve(file.getFileName()));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Does it to one server.
     *
     * @param args the server's folder, the path of the node, the number
     */
    public static void main(String[] args) throws IOException {
        Path folder = Path.of(args[0]);
        FileTxnSnapLog store = new FileTxnSnapLog(folder.toFile(), folder.toFile());
        ZKDatabase database = new ZKDatabase(store);
        database.loadDataBase();
        setSequence(database.getDataTree(), args[1], Integer.parseInt(args[2]));
        save(store, database);
        store.close();
        System.exit(0);
    }

    /** By its name: what it answers is not the same in all releases, and compiled calls name that, too. */
    private static void save(FileTxnSnapLog store, ZKDatabase database) throws IOException {
        try {
            FileTxnSnapLog.class
                    .getMethod("save", DataTree.class, ConcurrentHashMap.class, boolean.class)
                    .invoke(store, database.getDataTree(), database.getSessionWithTimeOuts(), true);
        } catch (ReflectiveOperationException e) {
            throw new IOException("Cannot write a snapshot", e);
        }
    }

    private static void setSequence(DataTree tree, String path, int sequence) throws IOException {
        try {
            StatPersisted stat = tree.getNode(path).stat;
            tree.setCversionPzxid(path, sequence, stat.getPzxid());
        } catch (Exception e) {
            throw new IOException("Cannot set the counter of " + path, e);
        }
    }
}
