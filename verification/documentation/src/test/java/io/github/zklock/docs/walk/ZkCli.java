package io.github.zklock.docs.walk;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.ZooKeeperMain;
import org.apache.zookeeper.cli.CliException;

/** ZooKeeper's own command line, as {@code zkCli.sh} starts it, with what it prints as text. */
final class ZkCli implements AutoCloseable {

    private static final ByteArrayOutputStream PRINTED = new ByteArrayOutputStream();

    static {
        // its commands keep the stream that is there when the class is initialized
        PrintStream before = System.out;
        System.setOut(new PrintStream(PRINTED, true, StandardCharsets.UTF_8));
        try {
            Class.forName(ZooKeeperMain.class.getName());
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        } finally {
            System.setOut(before);
        }
    }

    private final ZooKeeper client;
    private final ZooKeeperMain shell;

    ZkCli(String servers) throws IOException {
        client = new ZooKeeper(servers, 60_000, event -> {});
        shell = new ZooKeeperMain(client);
    }

    String run(String line) throws CliException, IOException, InterruptedException {
        PRINTED.reset();
        shell.executeLine(line);
        return PRINTED.toString(StandardCharsets.UTF_8).strip();
    }

    @Override
    public void close() throws InterruptedException {
        client.close();
    }
}
