package com.example.ordershop.demo;

import java.nio.file.Path;
import java.sql.DriverManager;
import java.util.Objects;
import java.util.Properties;
import org.apache.zookeeper.server.embedded.ExitHandler;
import org.apache.zookeeper.server.embedded.ZooKeeperServerEmbedded;
import org.h2.tools.Server;

/**
 * The process behind the scene: a ZooKeeper server and a database, which live on when shops are paused and killed. Runs
 * until the end of its input, and leaves nothing.
 */
final class Backstage {

    static final String USER = "shop";
    /** Environment variable: other users of the machine can see arguments. */
    static final String PASSWORD = "ORDERSHOP_DATABASE_PASSWORD";

    static final String READY = "READY ";

    private static final String DATABASE = "shop;MODE=PostgreSQL";
    private static final long START_MILLIS = ChildJvm.PATIENCE.toMillis();

    private Backstage() {}

    /**
     * Starts both and says where they are.
     *
     * @param arguments the folder of its files
     */
    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[0]);
        try (ZooKeeperServerEmbedded zookeeper = zookeeper(folder)) {
            zookeeper.start(START_MILLIS);
            Server database = database(folder);
            System.out.println(READY + "127.0.0.1:" + zookeeper.getClientPort() + " jdbc:h2:tcp://127.0.0.1:"
                    + database.getPort() + "/./" + DATABASE);
            while (System.in.read() >= 0) {
                // nobody writes
            }
            database.stop();
        }
        new StageFolder(folder).close();
        // threads of the servers may be left
        Runtime.getRuntime().halt(0);
    }

    private static ZooKeeperServerEmbedded zookeeper(Path folder) throws Exception {
        Properties configuration = new Properties();
        configuration.setProperty("clientPortAddress", "127.0.0.1");
        configuration.setProperty("clientPort", "0");
        configuration.setProperty("dataDir", folder.resolve("zookeeper").toString());
        // sessions are looked at every half second, and may be short: a pause has to outlive one
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

    /** Made before its server starts, which then needs no right to make databases for whoever connects. */
    private static Server database(Path folder) throws Exception {
        String password = Objects.requireNonNull(System.getenv(PASSWORD), PASSWORD);
        DriverManager.getConnection("jdbc:h2:file:" + folder.resolve(DATABASE), USER, password)
                .close();
        return Server.createTcpServer("-tcpPort", "0", "-baseDir", folder.toString())
                .start();
    }
}
