package io.github.zklock.boot3;

import io.github.zklock.OnClose;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

// snippet:settings
@ConfigurationProperties("locks")
record LockSettings(
        String servers,
        @DefaultValue("20s") Duration sessionTimeout,
        @DefaultValue("/locks") String basePath,
        @DefaultValue("KEEP_HELD") OnClose onClose) {}
// end:settings
