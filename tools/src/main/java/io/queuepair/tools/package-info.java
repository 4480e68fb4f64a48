/**
 * The {@code queuepair} command: its top level, and what every failure looks like. Each command has
 * a package below; what they share is in {@code cli}. Uses picocli and what applications may use.
 */
package io.queuepair.tools;
