package io.github.zklock.zookeeper.internal.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class AccessListsTest {

    private final List<String> asked = new ArrayList<>();
    private @Nullable RuntimeException failure;

    private final AccessLists lists = new AccessLists(
            new ACLProvider() {
                @Override
                public List<ACL> getDefaultAcl() {
                    return ZooDefs.Ids.READ_ACL_UNSAFE;
                }

                @Override
                public @Nullable List<ACL> getAclForPath(String path) {
                    asked.add(path);
                    if (failure != null) {
                        throw failure;
                    }
                    return path.equals("/locks") ? null : ZooDefs.Ids.OPEN_ACL_UNSAFE;
                }
            },
            null,
            "/locks");

    @Test
    void aListThatARequestCannotHoldIsRefused() {
        ACL entry = new ACL(ZooDefs.Perms.ALL, new Id("digest", "x".repeat(1_000)));
        AccessLists tooLong = new AccessLists(
                new ACLProvider() {
                    @Override
                    public List<ACL> getDefaultAcl() {
                        return Collections.nCopies(200, entry);
                    }

                    @Override
                    public List<ACL> getAclForPath(String path) {
                        return getDefaultAcl();
                    }
                },
                null,
                "/locks");

        assertThatThrownBy(() -> tooLong.ask("/locks/orders"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the access list of /locks has 200 entries and 203600 bytes, so that ZooKeeper could reject"
                        + " each request with it; return at most 131072 bytes from the ACLProvider");
    }

    @Test
    void theProviderIsAskedByTheCallerAloneAndOnceForEachFolder() {
        lists.ask("/locks/orders");
        lists.ask("/locks/orders");

        assertThat(asked)
                .containsExactly(
                        "/locks",
                        "/locks/orders",
                        "/locks/orders/lock-",
                        "/locks/lock-",
                        "/locks/.runs",
                        "/locks/.waits");
        assertThat(lists.of("/locks")).isEqualTo(ZooDefs.Ids.READ_ACL_UNSAFE);
        assertThat(lists.of("/locks/orders")).isEqualTo(ZooDefs.Ids.OPEN_ACL_UNSAFE);
        assertThat(lists.of("/locks/orders/_c_1-lock-")).isEqualTo(ZooDefs.Ids.OPEN_ACL_UNSAFE);
        assertThat(lists.of("/locks/_session-1")).isEqualTo(ZooDefs.Ids.OPEN_ACL_UNSAFE);
        assertThat(lists.of("/locks/.runs/1f/nightly")).isEqualTo(ZooDefs.Ids.OPEN_ACL_UNSAFE);
        assertThat(lists.of("/locks/.waits/1")).isEqualTo(ZooDefs.Ids.OPEN_ACL_UNSAFE);
        assertThat(asked).hasSize(6);
    }

    @Test
    void aProviderThatFailsFailsItsCaller() {
        failure = new RuntimeException("planted");

        assertThatThrownBy(() -> lists.ask("/locks/orders"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("/locks")
                .hasMessageContaining("planted");
    }
}
