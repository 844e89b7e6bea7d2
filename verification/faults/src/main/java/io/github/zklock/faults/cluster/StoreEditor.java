package io.github.zklock.faults.cluster;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.commons.io.FileUtils;
import org.apache.commons.io.function.Uncheck;
import org.apache.zookeeper.data.StatPersisted;
import org.apache.zookeeper.server.DataTree;
import org.apache.zookeeper.server.ZKDatabase;
import org.apache.zookeeper.server.persistence.FileTxnSnapLog;

/**
 * Edits the stored data of a stopped server, where clients would need years. Runs in a process of its own, because the
 * release that wrote the data must read it.
 */
public final class StoreEditor {

    private StoreEditor() {}

    /**
     * Sets the number of creates of a folder on all servers of a stopped ensemble: the next sequential node in the
     * folder gets this number.
     */
    public static void setSequence(List<ServerProcess> servers, String path, int sequence) {
        // committed transactions are on a majority, so the server with the most transactions has all of them
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
                Jvm.of(Jdk.own(), server.release().jars(), List.of("-Xmx256m")).shortLived();
        try (ChildProcess editor = ChildProcess.start("store-editor", jvm, server.log(), log, command)) {
            int exit = editor.process().waitFor();
            if (exit != 0) {
                throw new IllegalStateException(
                        "Editing the store of " + server.name() + " failed: see " + server.log());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted", e);
        }
    }

    private static void copy(ServerProcess from, ServerProcess to) {
        Uncheck.run(() -> {
            FileUtils.deleteDirectory(to.transactionLogs().toFile());
            FileUtils.copyDirectory(
                    from.transactionLogs().toFile(), to.transactionLogs().toFile());
        });
    }

    /**
     * Edits one server.
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

    /** Uses reflection because the return type, which compiled calls name, differs between releases. */
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
