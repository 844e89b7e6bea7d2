package io.github.zklock.autoconfigure.embedded;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Properties;
import java.util.concurrent.TimeoutException;
import org.apache.zookeeper.server.embedded.ExitHandler;
import org.apache.zookeeper.server.embedded.ZooKeeperServerEmbedded;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A ZooKeeper server in this JVM, by ZooKeeper's embedded API. It never ends the JVM. */
final class ServerProcess implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ServerProcess.class);

    /** Start timeout. If ZooKeeper cannot bind its port, it reports no error. */
    private static final Duration START_TIMEOUT = Duration.ofSeconds(20);

    private final ZooKeeperServerEmbedded server;
    private final ServerDirectory directory;

    private ServerProcess(ZooKeeperServerEmbedded server, ServerDirectory directory) {
        this.server = server;
        this.directory = directory;
    }

    /**
     * Starts a server and returns it when it answers. If it did not start in time, returns null, and the caller keeps
     * the directory.
     */
    static @Nullable ServerProcess start(InetSocketAddress address, ServerDirectory directory) throws IOException {
        ZooKeeperServerEmbedded server = null;
        boolean started = false;
        try {
            server = ZooKeeperServerEmbedded.builder()
                    .baseDir(directory.path())
                    .configuration(configuration(address, directory))
                    .exitHandler(ExitHandler.LOG_ONLY)
                    .build();
            server.start(START_TIMEOUT.toMillis());
            started = true;
            return new ServerProcess(server, directory);
        } catch (TimeoutException silent) {
            LOG.debug("The embedded server does not answer {} after its start", START_TIMEOUT, silent);
            return null;
        } catch (IOException | RuntimeException failed) {
            throw failed;
        } catch (Exception failed) {
            if (failed instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            throw new IOException("the server did not start: " + failed, failed);
        } finally {
            if (!started && server != null) {
                server.close();
            }
        }
    }

    int port() {
        return server.getClientPort();
    }

    @Override
    public void close() {
        server.close();
        directory.close();
    }

    private static Properties configuration(InetSocketAddress address, ServerDirectory directory) {
        Properties configuration = new Properties();
        configuration.setProperty("clientPortAddress", address.getAddress().getHostAddress());
        configuration.setProperty("clientPort", Integer.toString(address.getPort()));
        configuration.setProperty("dataDir", directory.data().toString());
        // session timeouts from one second to ten minutes: developers try short ones
        configuration.setProperty("tickTime", "500");
        configuration.setProperty("minSessionTimeout", "1000");
        configuration.setProperty("maxSessionTimeout", "600000");
        configuration.setProperty("maxClientCnxns", "0");
        configuration.setProperty("maxCnxns", "0");
        // the command by which another instance finds this server
        configuration.setProperty("4lw.commands.whitelist", "srvr");
        configuration.setProperty("admin.enableServer", "false");
        // data of a development server need not survive a power failure, and its log files need not start at 64 MB
        configuration.setProperty("forceSync", "no");
        configuration.setProperty("preAllocSize", "1024");
        return configuration;
    }
}
