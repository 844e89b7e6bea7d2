package com.example.ordershop.demo.process;

import java.nio.file.Path;
import java.sql.DriverManager;
import java.util.Objects;
import java.util.Properties;
import org.apache.zookeeper.server.embedded.ExitHandler;
import org.apache.zookeeper.server.embedded.ZooKeeperServerEmbedded;
import org.h2.tools.Server;
import org.springframework.util.FileSystemUtils;

/**
 * Main class of the process with the ZooKeeper server and the database, which keep running while shops are paused and killed.
 * Runs until the end of its input, then deletes its files.
 */
final class ServerProcess {

    static final String USER = "shop";
    /** Name of an environment variable: other users of the machine can read arguments. */
    static final String PASSWORD = "ORDERSHOP_DATABASE_PASSWORD";

    static final String READY = "READY ";

    private static final String DATABASE = "shop;MODE=PostgreSQL";
    private static final long START_MILLIS = ChildJvm.PATIENCE.toMillis();

    private ServerProcess() {}

    /**
     * Starts both servers and prints their addresses.
     *
     * @param arguments the directory of the files
     */
    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[0]);
        try (ZooKeeperServerEmbedded zookeeper = zookeeper(folder)) {
            zookeeper.start(START_MILLIS);
            Server database = database(folder);
            System.out.println(READY + "127.0.0.1:" + zookeeper.getClientPort() + " jdbc:h2:tcp://127.0.0.1:"
                    + database.getPort() + "/./" + DATABASE);
            while (System.in.read() >= 0) {
                // ignore it
            }
            database.stop();
        }
        FileSystemUtils.deleteRecursively(folder);
        // server threads may still run
        Runtime.getRuntime().halt(0);
    }

    private static ZooKeeperServerEmbedded zookeeper(Path folder) throws Exception {
        Properties configuration = new Properties();
        configuration.setProperty("clientPortAddress", "127.0.0.1");
        configuration.setProperty("clientPort", "0");
        configuration.setProperty("dataDir", folder.resolve("zookeeper").toString());
        // short sessions, checked every half second: the pause of a scenario must be longer than a session timeout
        configuration.setProperty("tickTime", "500");
        configuration.setProperty("minSessionTimeout", "1000");
        configuration.setProperty("maxSessionTimeout", "60000");
        configuration.setProperty("maxClientCnxns", "0");
        configuration.setProperty("admin.enableServer", "false");
        configuration.setProperty("forceSync", "no");
        configuration.setProperty("preAllocSize", "1024");
        return ZooKeeperServerEmbedded.builder()
                .baseDir(folder)
                .configuration(configuration)
                .exitHandler(ExitHandler.LOG_ONLY)
                .build();
    }

    /** Creates the database before the server starts, so clients need no right to create databases. */
    private static Server database(Path folder) throws Exception {
        String password = Objects.requireNonNull(System.getenv(PASSWORD), PASSWORD);
        DriverManager.getConnection("jdbc:h2:file:" + folder.resolve(DATABASE), USER, password)
                .close();
        return Server.createTcpServer("-tcpPort", "0", "-baseDir", folder.toString())
                .start();
    }
}
