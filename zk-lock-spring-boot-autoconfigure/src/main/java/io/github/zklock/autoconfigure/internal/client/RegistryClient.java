package io.github.zklock.autoconfigure.internal.client;

import java.util.function.Supplier;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.ACLProvider;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;

/**
 * The client of the auto-configured registry. A bean of this type is defined if and only if that registry is.
 *
 * @param acls access lists of the nodes; null if nodes get the list of the base path
 * @param bundle returns the SSL bundle of the client's next connection; null if it uses none or the bundle is unknown
 */
public record RegistryClient(
        CuratorFramework framework, @Nullable ACLProvider acls, Supplier<@Nullable SslBundle> bundle) {}
