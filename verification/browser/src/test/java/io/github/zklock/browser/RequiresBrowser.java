package io.github.zklock.browser;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Needs Chromium and its driver; skipped, with the reason, where they are missing.
 *
 * <p>Tests and set-up methods get the {@link Browser} as a parameter. After each test its page must have logged no error,
 * and nothing may have been asked of another host.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Tag("browser")
@ExtendWith({BrowserCondition.class, BrowserExtension.class})
public @interface RequiresBrowser {}
