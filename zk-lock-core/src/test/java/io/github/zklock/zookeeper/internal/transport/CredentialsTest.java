package io.github.zklock.zookeeper.internal.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.zookeeper.RealServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ClientInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class CredentialsTest {

    @RegisterExtension
    final RealServer real = new RealServer();

    @Test
    void eachIdentityIsCopiedOnce() throws Exception {
        Recording original = open();
        Recording copy = open();
        original.addAuthInfo("digest", bytes("us:secret"));
        original.addAuthInfo("digest", bytes("them:secret"));
        copy.addAuthInfo("digest", bytes("them:secret"));

        Credentials.copy(original, copy);
        Credentials.copy(original, copy);

        assertThat(copy.added).containsExactly("them:secret", "us:secret");
        assertThat(copy.whoAmI())
                .filteredOn(each -> each.getAuthScheme().equals("digest"))
                .extracting(ClientInfo::getUser)
                .containsExactlyInAnyOrder("us", "them");
    }

    @Test
    void schemeWithoutDataIsCopied() throws Exception {
        Recording original = open();
        Recording copy = open();
        original.addAuthInfo("ip", null);

        Credentials.copy(original, copy);

        assertThat(copy.added).containsExactly("null");
    }

    private Recording open() throws IOException {
        return real.open(new Recording(real.itself().connectString()));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static final class Recording extends ZooKeeper {

        private final List<String> added = new ArrayList<>();

        Recording(String connectString) throws IOException {
            super(connectString, 30_000, event -> {});
        }

        @Override
        public void addAuthInfo(String scheme, byte[] data) {
            added.add(data == null ? "null" : new String(data, StandardCharsets.UTF_8));
            super.addAuthInfo(scheme, data);
        }
    }
}
