package io.github.zklock.docs.guide.leader;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.annotation.ComponentScan;

/** An application with one service. */
@SpringBootConfiguration(proxyBeanMethods = false)
@ImportAutoConfiguration
@ComponentScan
class ReportApplication {}
