/* A PAM module for tests: it asks for a password and then for a one-time code, as hosts with a second factor do. Its
   arguments are the files with the password and with the code, and the file in which it counts the tries. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PAM_SUCCESS 0
#define PAM_SYSTEM_ERR 4
#define PAM_AUTH_ERR 7
#define PAM_PROMPT_ECHO_OFF 1

int pam_prompt(void *handle, int style, char **answer, const char *format, ...);

static int is_in(const char *path, const char *answer) {
    char line[128] = "";
    FILE *file = fopen(path, "r");
    if (!file)
        return 0;
    if (fgets(line, sizeof line, file))
        line[strcspn(line, "\n")] = 0;
    fclose(file);
    return answer && *line && !strcmp(line, answer);
}

int pam_sm_authenticate(void *handle, int flags, int count, const char **names) {
    char *password = NULL, *code = NULL;
    (void)flags;
    if (count < 3)
        return PAM_SYSTEM_ERR;
    pam_prompt(handle, PAM_PROMPT_ECHO_OFF, &password, "Password: ");
    pam_prompt(handle, PAM_PROMPT_ECHO_OFF, &code, "Verification code: ");
    int good = is_in(names[0], password) && is_in(names[1], code);
    FILE *tries = fopen(names[2], "a");
    if (tries) {
        fputs(good ? "good\n" : "wrong\n", tries);
        fclose(tries);
    }
    /* A code is good once. */
    if (good)
        unlink(names[1]);
    free(password);
    free(code);
    return good ? PAM_SUCCESS : PAM_AUTH_ERR;
}

int pam_sm_setcred(void *handle, int flags, int count, const char **names) {
    (void)handle, (void)flags, (void)count, (void)names;
    return PAM_SUCCESS;
}
