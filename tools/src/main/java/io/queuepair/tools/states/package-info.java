/**
 * The states of a queue pair: the table of transitions in several forms, and its comparison with
 * recorded calls. What a transition does is decided in the emulator, not here.
 */
package io.queuepair.tools.states;
