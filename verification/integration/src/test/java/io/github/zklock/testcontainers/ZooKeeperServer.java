package io.github.zklock.testcontainers;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.testcontainers.containers.GenericContainer;

/** A ZooKeeper server in a container. */
final class ZooKeeperServer extends GenericContainer<ZooKeeperServer> {

    static final String IMAGE = "zookeeper:3.9";
    static final int CLIENT_PORT = 2181;

    ZooKeeperServer() {
        super(IMAGE);
        withEnv("SERVER_JVMFLAGS", "-Xmx64m -XX:TieredStopAtLevel=1");
        withExposedPorts(CLIENT_PORT);
        withStartupTimeout(Duration.ofMinutes(2));
    }

    String hostAndPort() {
        return getHost() + ":" + getMappedPort(CLIENT_PORT);
    }

    /** Asks the server itself, by the one command that it answers to anybody. */
    boolean isFollower() {
        try (Socket socket = new Socket(getHost(), getMappedPort(CLIENT_PORT))) {
            socket.getOutputStream().write("srvr".getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII)
                    .contains("Mode: follower");
        } catch (IOException noAnswer) {
            return false;
        }
    }
}
