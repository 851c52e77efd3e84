/* Plays the last move of the list, in any game: cc -o last examples/bots/last.c */
#include <stdio.h>
#include <string.h>

int main(void) {
    static char line[1 << 20], move[100];
    setvbuf(stdout, NULL, _IOLBF, 0);
    while (fgets(line, sizeof line, stdin)) {
        char *legal = strstr(line, " legal=\"");
        if (!strncmp(line, "hub", 3))
            puts("id name=Last version=1\nparam name=hand-over value=legal\nwait");
        else if (!strncmp(line, "init", 4)) puts("ready");
        else if (!strncmp(line, "ping", 4)) puts("pong");
        else if (!strncmp(line, "pos", 3) && legal) {
            legal[8 + strcspn(legal + 8, "\"")] = 0;
            char *blank = strrchr(legal, ' ');
            snprintf(move, sizeof move, "%s", blank > legal ? blank + 1 : legal + 8);
        }
        else if (!strncmp(line, "go", 2)) printf("done move=%s\n", move);
        else if (!strncmp(line, "quit", 4)) break;
    }
    return 0;
}
